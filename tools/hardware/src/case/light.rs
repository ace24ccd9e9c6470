//! A ray tracer: follows light backwards, from the camera into the scene.
//!
//! Where a ray from the eye ends, the surface is lit by one large lamp (a ray to a random point of it finds whether the
//! lamp is hidden: that makes soft shadows) and by everything around (a ray in a random direction finds the sky, a
//! glowing cap, or another surface, which is taken to be dimly lit). Plastic mirrors a little, the more the flatter one
//! looks at it. Many such rays for each point of the picture make the mean that is seen. The random numbers depend on
//! the pixel only, so the same scene gives the same picture.

use std::thread;

use super::mesh::{Vector, cross, dot, minus, normal, plus, times, unit};
use super::rays::Scene;

/// Red, green and blue; 1 is white paper in the lamp's light, and more is brighter.
pub(super) type Colour = [f32; 3];

/// What a surface is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Material {
    /// How much of each colour it gives back.
    pub colour: Colour,
    /// What it shines with itself.
    pub glow: Colour,
    /// How much it mirrors when looked at straight.
    pub mirror: f32,
    /// Where it shines most, as x and y, if it does not shine alike everywhere.
    pub brightest: Option<[f32; 2]>,
}

impl Material {
    /// Of one colour, without a light of its own.
    pub(super) const fn plain(colour: Colour, mirror: f32) -> Self {
        Self { colour, glow: [0.0; 3], mirror, brightest: None }
    }

    fn glow_at(&self, place: Vector) -> Colour {
        let Some([x, y]) = self.brightest else { return self.glow };
        let far = ((place[0] - x).powi(2) + (place[1] - y).powi(2)).sqrt();
        times(self.glow, 1.25 * (-far / FADE).exp())
    }
}

/// Where the picture is taken from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    /// Where it stands.
    pub eye: Vector,
    /// Where it looks.
    pub target: Vector,
    /// Half of what it sees from left to right, as the tangent of the angle.
    pub zoom: f32,
}

/// What there is to see.
#[derive(Debug)]
pub(super) struct Stage {
    scene: Scene,
    normals: Vec<Vector>,
    materials: Vec<Material>,
}

const LAMP: Vector = [-170.0, 190.0, 420.0];
const LAMP_SIZE: f32 = 110.0;
const LAMP_COLOUR: Colour = [1.05, 1.0, 0.94];
const SKY: Colour = [0.34, 0.37, 0.42];
/// A surface met on the way is lit about like this.
const DIM: f32 = 0.32;
/// A cap's light is a third where it is so far from its middle, in mm.
const FADE: f32 = 13.0;
/// How far a mirrored ray strays: plastic from a printer is satin.
const ROUGHNESS: f32 = 0.16;
/// How far a pixel looks around itself for its like, and how often.
const REACH: usize = 3;
const SMOOTHINGS: usize = 3;
const EXPOSURE: f32 = 1.3;
const SKIN: f32 = 2e-3;
const FAR: f32 = 1e5;

impl Stage {
    /// Triangles, each with its material.
    pub(super) fn new(things: Vec<([Vector; 3], Material)>) -> Self {
        let (triangles, materials): (Vec<_>, Vec<_>) = things.into_iter().unzip();
        Self { scene: Scene::new(&triangles), normals: triangles.iter().map(normal).collect(), materials }
    }

    /// The picture, row by row from the top; `fineness` squared rays for each pixel.
    pub(super) fn draw(&self, camera: Camera, width: usize, height: usize, fineness: usize) -> Vec<[u8; 3]> {
        let mut pixels = vec![Pixel::default(); width * height];
        let workers = thread::available_parallelism().map_or(1, usize::from);
        // Every worker takes each so manyth row: all have the same share of what is difficult.
        let mut shares: Vec<Vec<_>> = (0..workers).map(|_| Vec::new()).collect();
        for row in pixels.chunks_mut(width).enumerate() {
            shares[row.0 % workers].push(row);
        }
        thread::scope(|scope| {
            for share in shares {
                scope.spawn(move || {
                    for (y, row) in share {
                        for (x, pixel) in row.iter_mut().enumerate() {
                            *pixel = self.pixel(camera, [x, y], [width, height], fineness);
                        }
                    }
                });
            }
        });
        for _ in 0..SMOOTHINGS {
            pixels = smoothed(&pixels, width);
        }
        // Bright light fades into white, as on film; then what screens expect.
        let shown = |value: f32| ((1.0 - (-EXPOSURE * value).exp()).powf(1.0 / 2.2) * 255.0).round() as u8;
        pixels.iter().map(|pixel| pixel.light.map(shown)).collect()
    }

    fn pixel(&self, camera: Camera, at: [usize; 2], size: [usize; 2], fineness: usize) -> Pixel {
        let forward = unit(minus(camera.target, camera.eye));
        let right = unit(cross(forward, [0.0, 0.0, 1.0]));
        let up = cross(right, forward);
        let mut random = Random((at[0] + at[1] * size[0]) as u32);
        let mut sum = [0.0; 3];
        let (mut surfaces, mut pure) = ([None; 2], true);
        for i in 0..fineness * fineness {
            let part = |step: usize, random: &mut Random| (step as f32 + random.next()) / fineness as f32;
            let x = at[0] as f32 + part(i % fineness, &mut random) - size[0] as f32 / 2.0;
            let y = at[1] as f32 + part(i / fineness, &mut random) - size[1] as f32 / 2.0;
            let scale = 2.0 * camera.zoom / size[0] as f32;
            let ray = unit(plus(forward, plus(times(right, x * scale), times(up, -y * scale))));
            let (light, surface) = self.seen(camera.eye, ray, &mut random);
            sum = plus(sum, light);
            surfaces[usize::from(i > 0)] = surface;
            pure &= surfaces[0] == surface;
        }
        Pixel { light: times(sum, 1.0 / (fineness * fineness) as f32), surface: surfaces[0].filter(|_| pure) }
    }

    /// The light that comes from where a ray ends, and from which surface.
    fn seen(&self, eye: Vector, ray: Vector, random: &mut Random) -> (Colour, Option<Surface>) {
        let Some(hit) = self.scene.first(eye, ray, SKIN, FAR) else { return (SKY, None) };
        let material = self.materials[hit.triangle];
        let mut outwards = self.normals[hit.triangle];
        if dot(outwards, ray) > 0.0 {
            outwards = times(outwards, -1.0);
        }
        let place = plus(plus(eye, times(ray, hit.distance)), times(outwards, SKIN));

        let to_lamp = minus(plus(LAMP, times(random.direction(), LAMP_SIZE)), place);
        let towards = unit(to_lamp);
        let facing = dot(towards, outwards);
        let glow = material.glow_at(place);
        let mut light = [0.0; 3];
        if facing > 0.0 && !self.scene.blocked(place, to_lamp, 0.0, 1.0) {
            light = times(LAMP_COLOUR, facing);
        }
        let around = unit(plus(outwards, random.direction()));
        light = plus(light, self.glance(place, around));

        let bounced = minus(ray, times(outwards, 2.0 * dot(ray, outwards)));
        let mirrored = unit(plus(bounced, times(random.direction(), ROUGHNESS)));
        // Schlick's approximation of how mirrors get better at flat angles.
        let share =
            material.mirror + (1.0 - material.mirror) * 0.6 * (1.0 + dot(ray, outwards)).clamp(0.0, 1.0).powi(5);
        let reflection = if material.mirror > 0.0 && dot(mirrored, outwards) > 0.0 {
            let lamp = unit(minus(LAMP, place));
            let shine = dot(mirrored, lamp).max(0.0).powi(24);
            times(plus(self.glance(place, mirrored), times(LAMP_COLOUR, 2.0 * shine)), share)
        } else {
            [0.0; 3]
        };
        let surface = (material.colour.map(f32::to_bits), outwards.map(|value| (value * 40.0).round() as i8));
        ([0, 1, 2].map(|i| glow[i] + material.colour[i] * light[i] + reflection[i]), Some(surface))
    }

    /// About what comes from a direction.
    fn glance(&self, place: Vector, direction: Vector) -> Colour {
        match self.scene.first(place, direction, 0.0, FAR) {
            // The sky is brighter overhead.
            None => times(SKY, 0.55 + 0.6 * direction[2].max(0.0)),
            Some(hit) => {
                let Material { colour, glow, .. } = self.materials[hit.triangle];
                [0, 1, 2].map(|i| glow[i] + DIM * colour[i])
            }
        }
    }
}

/// Which surface a pixel shows: its colour, and about the direction that it faces.
type Surface = ([u32; 3], [i8; 3]);

/// A pixel, and the surface if it shows one only.
#[derive(Clone, Copy, Default)]
struct Pixel {
    light: Colour,
    surface: Option<Surface>,
}

/// Few rays leave grain. Within one surface light changes slowly, so each pixel takes the mean of those around it that
/// show the same; edges stay as sharp as they are.
fn smoothed(pixels: &[Pixel], width: usize) -> Vec<Pixel> {
    let height = pixels.len() / width;
    let around = |at: usize, end: usize| at.saturating_sub(REACH)..(at + REACH + 1).min(end);
    let mean = |index: usize| {
        let pixel = pixels[index];
        let (mut sum, mut count) = ([0.0; 3], 0.0);
        for y in around(index / width, height) {
            for other in around(index % width, width).map(|x| pixels[y * width + x]) {
                if other.surface == pixel.surface {
                    sum = plus(sum, other.light);
                    count += 1.0;
                }
            }
        }
        if pixel.surface.is_none() { pixel } else { Pixel { light: times(sum, 1.0 / count), ..pixel } }
    };
    (0..pixels.len()).map(mean).collect()
}

/// Numbers without a pattern that the eye would see.
struct Random(u32);

impl Random {
    /// From 0 to 1.
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let word = ((self.0 >> ((self.0 >> 28) + 4)) ^ self.0).wrapping_mul(277_803_737);
        ((word >> 22 ^ word) >> 8) as f32 / (1 << 24) as f32
    }

    /// Any direction, all as likely.
    fn direction(&mut self) -> Vector {
        let z = 2.0 * self.next() - 1.0;
        let turn = std::f32::consts::TAU * self.next();
        let radius = (1.0 - z * z).sqrt();
        [radius * turn.cos(), radius * turn.sin(), z]
    }
}

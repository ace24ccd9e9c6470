#!/usr/bin/env python3
"""Draws docs/pictures/handheld.png and handheld-parts.png with Blender, from the STL files of the parts.

    python3 hardware/tools/case.py OUTPUT_FOLDER --items ITEMS_FOLDER
    python3 hardware/tools/picture.py ITEMS_FOLDER docs/pictures

Blender is used as a Python module (requirements-pictures.txt), because Debian's own package of Blender cannot denoise.
pngquant (Debian: pngquant) makes the files smaller. Takes about six minutes on two cores.
"""

import argparse
import json
import math
import subprocess
import time
from pathlib import Path

import bpy
from bpy.types import Material, Object
from mathutils import Vector

Colour = tuple[float, float, float]
Place = tuple[float, float, float]

# The keys that are lit: what two presses leave.
LIT = [".#...", "###..", ".#.#.", "..###", "...#."]
# Name, width and height in pixels, whether the parts are apart, place and target of the camera (in mm).
PICTURES = [
    ("handheld.png", 1000, 860, False, (165, -190, 330), (50, 72, 2)),
    ("handheld-parts.png", 900, 1080, True, (290, -370, 390), (49, 76, 38)),
]
# How far above the board a part is when the parts are apart.
APART = {"body": -45, "top": 84, "door": 112, "cap": 122}
SAMPLES = 96


def material(colour: Colour, roughness: float, metallic: float = 0.0, edge: float = 0.0,
             **more: float | Colour) -> Material:
    """A material. `edge` is the radius that its sharp edges seem to have; `more` are inputs of Blender's shader."""
    made = bpy.data.materials.new("material")
    nodes = made.node_tree.nodes
    inputs = nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value = (*colour, 1)
    inputs["Roughness"].default_value = roughness
    inputs["Metallic"].default_value = metallic
    for name, value in more.items():
        inputs[name.replace("_", " ")].default_value = value
    if edge > 0:
        bevel = nodes.new("ShaderNodeBevel")
        bevel.samples = 6
        bevel.inputs["Radius"].default_value = edge
        made.node_tree.links.new(bevel.outputs["Normal"], inputs["Normal"])
    return made


def glowing(made: Material) -> Material:
    """The material of a lit cap: brightest in the middle of its roof, which is about 20 mm above the board."""
    nodes, links = made.node_tree.nodes, made.node_tree.links
    place = nodes.new("ShaderNodeTexCoord")
    distance = nodes.new("ShaderNodeVectorMath")
    distance.operation = "DISTANCE"
    distance.inputs[1].default_value = (0, 0, 19)
    share = nodes.new("ShaderNodeMath")
    share.operation = "DIVIDE"
    share.inputs[1].default_value = 12
    ramp = nodes.new("ShaderNodeValToRGB")
    middle, rim = ramp.color_ramp.elements
    middle.position, middle.color = 0.2, (1.0, 0.60, 0.16, 1)
    rim.position, rim.color = 1.0, (0.62, 0.19, 0.01, 1)
    inputs = nodes["Principled BSDF"].inputs
    inputs["Emission Strength"].default_value = 1.5
    links.new(place.outputs["Object"], distance.inputs[0])
    links.new(distance.outputs["Value"], share.inputs[0])
    links.new(share.outputs["Value"], ramp.inputs["Fac"])
    links.new(ramp.outputs["Color"], inputs["Emission Color"])
    return made


def add_part(folder: Path, name: str, made: Material, place: Place) -> None:
    bpy.ops.wm.stl_import(filepath=str(folder / f"{name}.stl"))
    item = bpy.context.object
    item.location = place
    item.data.materials.append(made)
    item.data.shade_smooth()
    item.data.set_sharp_from_angle(angle=math.radians(30))


def add_handheld(folder: Path, apart: bool) -> None:
    shell = material((0.036, 0.038, 0.042), 0.40, edge=0.35)
    body = material((0.055, 0.058, 0.064), 0.45, edge=0.35)
    door = material((0.038, 0.040, 0.045), 0.40, edge=0.35)
    cap = material((0.86, 0.86, 0.84), 0.35, edge=0.4, Transmission_Weight=0.45, IOR=1.3, Subsurface_Weight=0.5,
                   Subsurface_Radius=(2, 2, 2))
    lit_cap = glowing(material((0.38, 0.20, 0.07), 0.35, edge=0.4))
    board = material((0.012, 0.075, 0.040), 0.3)
    black = material((0.015, 0.015, 0.017), 0.4)
    white = material((0.75, 0.73, 0.68), 0.4)
    metal = material((0.62, 0.62, 0.64), 0.28, 1.0)
    housing = material((0.62, 0.68, 0.74), 0.25, Subsurface_Weight=0.3)
    stem = material((0.42, 0.025, 0.02), 0.35)
    cell = material((0.50, 0.20, 0.05), 0.3, 0.6)

    def add(name: str, made: Material, x: float = 0, y: float = 0) -> None:
        add_part(folder, name, made, (x, y, APART.get(name, 0) if apart else 0))

    for name, made in {
        "body": body, "top": shell, "door": door, "board": board, "Pico": board, "Pico headers": black,
        "Pico chip": black, "BOOTSEL": white, "USB socket": metal, "battery holder": black, "battery cells": cell,
        "battery ends": metal, "connector": white, "piezo": black, "switch": metal, "lever down": black,
        "lights": white,
    }.items():
        add(name, made)
    keys = json.loads((folder / "values.json").read_text())["keys"]
    for (x, y), mark in zip(keys, "".join(LIT), strict=True):
        add("cap", lit_cap if mark == "#" else cap, x, y)
        add("key housing", housing, x, y)
        add("key slider", stem, x, y)
        add("key stem", stem, x, y)


def look_at(item: Object, place: Place, target: Place) -> None:
    bpy.context.collection.objects.link(item)
    item.location = place
    item.rotation_euler = (Vector(target) - Vector(place)).to_track_quat("-Z", "Y").to_euler()


def add_light(place: Place, size: float, power: float, colour: Colour) -> None:
    light = bpy.data.lights.new("light", "AREA")
    light.size, light.energy, light.color = size, power, colour
    look_at(bpy.data.objects.new("light", light), place, (50, 70, 0))


def add_room(eye: Place, target: Place) -> None:
    """A table under the lowest part, soft light from two sides, a dim room, and the camera."""
    bpy.context.view_layer.update()
    bottom = min((item.matrix_world @ Vector(corner)).z for item in bpy.data.objects for corner in item.bound_box)
    bpy.ops.mesh.primitive_plane_add(size=8000, location=(50, 75, bottom - 0.05))
    bpy.context.object.data.materials.append(material((0.17, 0.18, 0.205), 0.5))
    add_light((-260, 260, 420), 320, 4.6e6, (1.0, 0.97, 0.92))
    add_light((380, -260, 260), 260, 2.0e6, (0.90, 0.94, 1.0))
    world = bpy.data.worlds.new("room")
    sky = world.node_tree.nodes["Background"].inputs
    sky["Color"].default_value = (0.60, 0.63, 0.69, 1)
    sky["Strength"].default_value = 0.3
    camera = bpy.data.cameras.new("camera")
    camera.lens, camera.clip_end = 76, 10000
    item = bpy.data.objects.new("camera", camera)
    look_at(item, eye, target)
    bpy.context.scene.camera, bpy.context.scene.world = item, world


def render(file: Path, width: int, height: int) -> None:
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.seed = 1
    scene.cycles.samples = SAMPLES
    scene.cycles.use_denoising = True
    scene.cycles.denoiser = "OPENIMAGEDENOISE"
    scene.cycles.sample_clamp_indirect = 4
    scene.view_settings.view_transform = "Khronos PBR Neutral"
    scene.render.dither_intensity = 0  # dithered by pngquant
    scene.render.image_settings.color_mode = "RGB"
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.filepath = str(file)
    bpy.ops.render.render(write_still=True)
    subprocess.run(["pngquant", "--speed", "1", "--force", "--output", file, "256", file], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", type=Path, help="folder with the parts, from case.py --items")
    parser.add_argument("pictures", type=Path, help="folder for the pictures")
    arguments = parser.parse_args()
    for number, (name, width, height, apart, eye, target) in enumerate(PICTURES, 1):
        started = time.monotonic()
        bpy.ops.wm.read_factory_settings(use_empty=True)
        add_handheld(arguments.items, apart)
        add_room(eye, target)
        file = arguments.pictures.resolve() / name
        render(file, width, height)
        size = file.stat().st_size // 1024
        print(f"[{number}/{len(PICTURES)}] {name}: {size} KB, {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()

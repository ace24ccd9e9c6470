//! Elimination over GF(2), where bits are added modulo 2, so that adding two rows of bits is one XOR.
//!
//! A linear map of up to 128 bits is given by the images of its unit vectors. Each image is reduced by the pivots found
//! so far, and is stored with the combination of unit vectors that it belongs to. If the remainder is not 0, it
//! becomes the next pivot. If it is 0, the combination is in the null space. The pivots span the image of the map, and
//! the combinations with remainder 0 are a basis of its null space.
//!
//! A pivot has a 0 at the leading bit of every earlier pivot. So one pass over the pivots, in the order in which they
//! were found, reduces any vector.

/// An image reduced by all earlier pivots, with the vector whose image it is.
#[derive(Clone, Copy, Debug)]
struct Pivot {
    /// The bit of `image` that this pivot removes from other vectors.
    leading: u128,
    image: u128,
    combination: u128,
}

/// A linear map after elimination.
#[derive(Clone, Debug)]
pub struct Elimination {
    pivots: Vec<Pivot>,
    null_basis: Vec<u128>,
}

impl Elimination {
    /// The map that sends unit vector i to `images[i]`. There may be at most 128.
    pub fn of(images: &[u128]) -> Self {
        let mut elimination = Self { pivots: Vec::with_capacity(images.len()), null_basis: Vec::new() };
        for (i, &image) in images.iter().enumerate() {
            let (rest, removed) = elimination.reduce(image);
            let combination = removed ^ 1 << i;
            if rest == 0 {
                elimination.null_basis.push(combination);
            } else {
                let leading = rest & rest.wrapping_neg();
                elimination.pivots.push(Pivot { leading, image: rest, combination });
            }
        }
        elimination
    }

    /// The remainder of `target` after reduction, and the vector whose image was removed from it.
    fn reduce(&self, target: u128) -> (u128, u128) {
        self.pivots.iter().fold((target, 0), |(rest, removed), pivot| {
            if rest & pivot.leading == 0 { (rest, removed) } else { (rest ^ pivot.image, removed ^ pivot.combination) }
        })
    }

    /// A vector that the map sends to `target`, if there is one. Adding any sum of the null basis gives the others.
    pub fn preimage(&self, target: u128) -> Option<u128> {
        let (rest, removed) = self.reduce(target);
        (rest == 0).then_some(removed)
    }

    /// A basis of the null space: of all vectors that the map sends to 0.
    pub fn null_basis(&self) -> &[u128] {
        &self.null_basis
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn apply(images: &[u128], vector: u128) -> u128 {
        (0..images.len()).filter(|i| vector >> i & 1 == 1).fold(0, |sum, i| sum ^ images[i])
    }

    proptest! {
        /// The maps are small, so that every vector can be tried.
        #[test]
        fn small_maps_agree_with_brute_force(images in prop::collection::vec(0u128..256, 1..=8)) {
            let elimination = Elimination::of(&images);
            let nullity = elimination.null_basis().len();
            for target in 0..256 {
                let count = (0..1 << images.len()).filter(|&vector| apply(&images, vector) == target).count();
                match elimination.preimage(target) {
                    None => prop_assert_eq!(count, 0),
                    Some(vector) => {
                        prop_assert_eq!(apply(&images, vector), target);
                        prop_assert_eq!(count, 1 << nullity);
                    }
                }
            }
            for &vector in elimination.null_basis() {
                prop_assert_eq!(apply(&images, vector), 0);
            }
            let independent = Elimination::of(elimination.null_basis());
            prop_assert!(independent.null_basis().is_empty());
        }

        #[test]
        fn wide_map_has_preimages(images in prop::collection::vec(any::<u128>(), 128), vector in any::<u128>()) {
            let elimination = Elimination::of(&images);
            let target = apply(&images, vector);
            let found = elimination.preimage(target).expect("the target has a preimage");
            prop_assert_eq!(apply(&images, found), target);
        }
    }
}

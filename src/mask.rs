//! Sets of up to 32 items as bits of a word, with a type for each kind of item.
//!
//! The same 25 bits can stand for cells of the grid, contacts of the matrix or keys to press. The type of a [`Mask`]
//! keeps them apart:
//!
//! | set                                   | its items                           | what it is                         |
//! | ------------------------------------- | ----------------------------------- | ---------------------------------- |
//! | [`Cells`](crate::board::Cells)        | [`Cell`](crate::board::Cell)        | cells of the grid                  |
//! | [`Presses`](crate::board::Presses)    | [`Cell`](crate::board::Cell)        | keys to press: solutions           |
//! | [`Contacts`](crate::matrix::Contacts) | [`Contact`](crate::matrix::Contact) | crossings of the matrix, as read   |
//! | [`Columns`](crate::matrix::Columns)   | [`Column`](crate::matrix::Column)   | columns of the matrix              |
//!
//! A set of one kind cannot be passed for another. Only a [`KeyMap`](crate::layout::KeyMap) maps contacts to cells,
//! and only a [`LedMap`](crate::layout::LedMap) maps LED positions to cells.
//!
//! Contacts are not cells:
//! ```compile_fail,E0308
//! # use lights_out::matrix::Contacts;
//! # use lights_out::display::{Colour, Frame};
//! let frame = Frame::of_cells(Contacts::ALL, Colour::LIGHT);
//! ```
//! Contacts cannot be mapped to cells twice:
//! ```compile_fail,E0308
//! # use lights_out::layout::Layout;
//! # use lights_out::matrix::Contacts;
//! let keys = Layout::REFERENCE.keys;
//! let cells = keys.cells_of_contacts(keys.cells_of_contacts(Contacts::ALL));
//! ```
//! A set of presses is not a board:
//! ```compile_fail,E0308
//! # use lights_out::board::Board;
//! # use lights_out::solver::CLASSIC;
//! let presses = CLASSIC.inverse(Board::DARK);
//! let is_solvable = CLASSIC.is_solvable(presses);
//! ```
//! The keys of a set of presses are not the lights that flip:
//! ```compile_fail,E0308
//! # use lights_out::board::Board;
//! # use lights_out::solver::CLASSIC;
//! let board = Board::DARK.flipped(CLASSIC.inverse(Board::DARK));
//! ```
//! An LED position is not a cell:
//! ```compile_fail,E0308
//! # use lights_out::layout::LedPosition;
//! # use lights_out::display::{Colour, Frame};
//! let first = LedPosition::new(0).expect("there are 25 LEDs");
//! Frame::DARK.set(first, Colour::LIGHT);
//! ```

use core::fmt;
use core::marker::PhantomData;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// One of a fixed number of items, which are counted from 0.
pub trait Indexed: Copy + Eq + fmt::Debug {
    /// How many items there are, at most 32.
    const COUNT: usize;

    /// The item with this index, if there is one.
    fn from_index(index: usize) -> Option<Self>;

    /// The index of this item.
    fn to_index(self) -> usize;
}

/// A kind of mask: the items that its bits stand for. An item type is also the kind of its own sets.
pub trait Kind: Copy + Eq + fmt::Debug {
    /// The items of the set.
    type Item: Indexed;
}

impl<Item: Indexed> Kind for Item {
    type Item = Item;
}

/// A set of items: bit n is the item with index n. Bits that stand for no item are never set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mask<K> {
    bits: u32,
    kind: PhantomData<K>,
}

impl<K: Kind> Mask<K> {
    /// No item.
    pub const EMPTY: Self = Self::from_valid_bits(0);
    /// Every item.
    pub const ALL: Self = Self::from_valid_bits(u32::MAX >> (u32::BITS as usize - K::Item::COUNT));

    /// The items of these bits. The caller guarantees that each bit stands for an item.
    pub(crate) const fn from_valid_bits(bits: u32) -> Self {
        Self { bits, kind: PhantomData }
    }

    /// The items of these bits. Bits that stand for no item are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self::from_valid_bits(bits & Self::ALL.bits)
    }

    /// The set as bits: bit n is the item with index n.
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// Whether there is no item in it.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// How many items are in it.
    pub const fn len(self) -> u32 {
        self.bits.count_ones()
    }

    /// Whether there is more than one item in it. Faster than [`len`](Self::len) on a chip that cannot count bits.
    pub(crate) const fn has_several(self) -> bool {
        self.bits & self.bits.wrapping_sub(1) != 0
    }

    /// Whether the item with this index is in it.
    pub const fn has_index(self, index: usize) -> bool {
        self.bits >> index & 1 == 1
    }

    /// Whether this item is in it.
    pub fn contains(self, item: K::Item) -> bool {
        self.has_index(item.to_index())
    }

    /// Whether every item of this set is in the other one.
    pub const fn is_subset(self, other: Self) -> bool {
        self.bits & !other.bits == 0
    }

    /// The item with the lowest index.
    pub fn first(self) -> Option<K::Item> {
        K::Item::from_index(self.bits.trailing_zeros() as usize)
    }

    /// The items in rising order of their indices.
    pub const fn iter(self) -> Items<K> {
        Items(self)
    }

    /// The items of either set: `|`, in constants.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self::from_valid_bits(self.bits | other.bits)
    }

    /// The items of exactly one of the sets: `^`, in constants.
    #[must_use]
    pub const fn symmetric_difference(self, other: Self) -> Self {
        Self::from_valid_bits(self.bits ^ other.bits)
    }
}

impl<K: Kind> Default for Mask<K> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<K> fmt::Debug for Mask<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#b}", self.bits)
    }
}

impl<K: Kind> BitAnd for Mask<K> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self::from_valid_bits(self.bits & other.bits)
    }
}

impl<K: Kind> BitOr for Mask<K> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.union(other)
    }
}

impl<K: Kind> BitXor for Mask<K> {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        self.symmetric_difference(other)
    }
}

/// All items that are not in the set.
impl<K: Kind> Not for Mask<K> {
    type Output = Self;

    fn not(self) -> Self {
        Self::from_bits(!self.bits)
    }
}

impl<K: Kind> BitAndAssign for Mask<K> {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl<K: Kind> BitOrAssign for Mask<K> {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<K: Kind> BitXorAssign for Mask<K> {
    fn bitxor_assign(&mut self, other: Self) {
        *self = *self ^ other;
    }
}

impl<K: Kind, const N: usize> From<[K::Item; N]> for Mask<K> {
    fn from(items: [K::Item; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<K: Kind> FromIterator<K::Item> for Mask<K> {
    fn from_iter<Iter: IntoIterator<Item = K::Item>>(items: Iter) -> Self {
        items.into_iter().fold(Self::EMPTY, |mask, item| Self::from_valid_bits(mask.bits | 1 << item.to_index()))
    }
}

impl<K: Kind> IntoIterator for Mask<K> {
    type Item = K::Item;
    type IntoIter = Items<K>;

    fn into_iter(self) -> Items<K> {
        self.iter()
    }
}

/// The items of a [`Mask`], in rising order of their indices.
#[derive(Clone, Debug)]
pub struct Items<K: Kind>(Mask<K>);

impl<K: Kind> Iterator for Items<K> {
    type Item = K::Item;

    fn next(&mut self) -> Option<K::Item> {
        let first = self.0.first()?;
        self.0.bits &= self.0.bits - 1;
        Some(first)
    }
}

/// Declares a type of [`Indexed`] items.
macro_rules! indexed {
    ($(#[$attribute:meta])* pub struct $item:ident, $count:expr) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $item(u8);

        impl $item {
            /// The one with index 0.
            pub const FIRST: Self = Self(0);

            /// The one with this index, if there is one.
            pub const fn new(index: usize) -> Option<Self> {
                if index < $count { Some(Self(index as u8)) } else { None }
            }

            /// All of them, in rising order of their indices.
            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..$count as u8).map(Self)
            }

            /// Its index, counted from 0.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The set with only this one in it.
            pub const fn bit(self) -> $crate::mask::Mask<Self> {
                $crate::mask::Mask::from_bits(1 << self.0)
            }
        }

        impl $crate::mask::Indexed for $item {
            const COUNT: usize = $count;

            fn from_index(index: usize) -> Option<Self> {
                Self::new(index)
            }

            fn to_index(self) -> usize {
                self.index()
            }
        }
    };
}
pub(crate) use indexed;

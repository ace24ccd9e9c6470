//! Lists of members with types of their own.

use core::marker::PhantomData;

/// The empty list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HNil;

/// A member, and a list of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HCons<H, T> {
    /// The first.
    pub head: H,
    /// The others.
    pub tail: T,
}

/// A place: it is the first member.
#[derive(Debug)]
pub enum Here {}

/// A place: it is at this place among the others.
#[derive(Debug)]
pub struct There<Place>(PhantomData<Place>);

/// A list out of which a member can be taken by its type. The compiler finds the place.
pub trait Plucker<Member, Place> {
    /// The list without it.
    type Remainder;

    /// Takes it out.
    fn pluck(self) -> (Member, Self::Remainder);
}

impl<Member, T> Plucker<Member, Here> for HCons<Member, T> {
    type Remainder = T;

    fn pluck(self) -> (Member, T) {
        (self.head, self.tail)
    }
}

impl<H, T: Plucker<Member, Place>, Member, Place> Plucker<Member, There<Place>> for HCons<H, T> {
    type Remainder = HCons<H, T::Remainder>;

    fn pluck(self) -> (Member, Self::Remainder) {
        let (member, tail) = self.tail.pluck();
        (member, HCons { head: self.head, tail })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_found_by_its_type() {
        let list = HCons { head: 1_u8, tail: HCons { head: 'a', tail: HCons { head: "b", tail: HNil } } };
        let (letter, rest): (char, _) = list.pluck();
        assert_eq!(letter, 'a');
        assert_eq!(rest, HCons { head: 1_u8, tail: HCons { head: "b", tail: HNil } });
    }
}

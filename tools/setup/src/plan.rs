//! Which ways to try, and in which order: a pure function of what was seen on this computer.

use crate::SetupError;

/// What was seen on this computer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The running rustc has the target's library.
    pub library_present: bool,
    /// There is a `rustup` to ask.
    pub rustup_present: bool,
    /// Debian's compiler, cargo, library source and linker are all installed and new enough.
    pub debian_ready: bool,
    /// There is an `apt-get` to ask.
    pub apt_present: bool,
    /// We may install packages.
    pub may_install: bool,
    /// The one way that the user wants.
    pub forced: Option<Forced>,
}

/// A way that the user wants and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced {
    /// Rustup's toolchain, with its target added where it is missing.
    Rustup,
    /// Debian's packages, even where rustup's target is present.
    Debian,
}

impl Forced {
    /// Reads the variable's value; an empty one is as good as none.
    pub fn parse(word: &str) -> Result<Option<Self>, SetupError> {
        match word {
            "" => Ok(None),
            "rustup" => Ok(Some(Self::Rustup)),
            "debian" => Ok(Some(Self::Debian)),
            other => Err(SetupError::UnknownChoice { variable: crate::FORCE_VARIABLE, word: other.to_owned() }),
        }
    }
}

/// One way to come by a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The target is present.
    Present,
    /// `rustup target add`.
    Rustup,
    /// Debian's packages, which are installed already.
    DebianReady,
    /// Debian's packages, to be installed first.
    DebianInstall,
}

/// The ways worth trying, best first. None means that only the user can help.
pub fn ways(facts: Facts) -> Vec<Way> {
    let rustup_allowed = facts.forced != Some(Forced::Debian);
    let debian_allowed = facts.forced != Some(Forced::Rustup);
    if rustup_allowed && facts.library_present {
        return vec![Way::Present];
    }
    let mut ways = Vec::new();
    if rustup_allowed && facts.rustup_present {
        ways.push(Way::Rustup);
    }
    if debian_allowed && facts.debian_ready {
        ways.push(Way::DebianReady);
    } else if debian_allowed && facts.apt_present && facts.may_install {
        ways.push(Way::DebianInstall);
    }
    ways
}

/// One sentence for each way that the facts rule out, for the error that ends a fruitless search.
pub fn ruled_out(facts: Facts) -> Vec<String> {
    let mut sentences = Vec::new();
    match facts.forced {
        Some(Forced::Debian) => sentences.push(format!("{} forbids rustup.", crate::FORCE_VARIABLE)),
        _ if !facts.rustup_present => sentences.push("There is no rustup here.".to_owned()),
        _ => {}
    }
    match facts.forced {
        Some(Forced::Rustup) => sentences.push(format!("{} forbids Debian's packages.", crate::FORCE_VARIABLE)),
        _ if facts.debian_ready => {}
        _ if !facts.apt_present => sentences.push("There is no apt-get here to install Debian's packages.".to_owned()),
        _ if !facts.may_install => {
            sentences.push(format!(
                "Debian's packages are installed for root; for others with {}=sudo and a sudo that asks for no password.",
                crate::INSTALL_VARIABLE
            ));
        }
        _ => {}
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEBIAN_ROOT: Facts = Facts {
        library_present: false,
        rustup_present: true,
        debian_ready: false,
        apt_present: true,
        may_install: true,
        forced: None,
    };

    #[test]
    fn what_is_present_is_used_and_nothing_else_is_tried() {
        assert_eq!(ways(Facts { library_present: true, ..DEBIAN_ROOT }), [Way::Present]);
    }

    #[test]
    fn rustup_comes_before_debian() {
        assert_eq!(ways(DEBIAN_ROOT), [Way::Rustup, Way::DebianInstall]);
        assert_eq!(ways(Facts { debian_ready: true, ..DEBIAN_ROOT }), [Way::Rustup, Way::DebianReady]);
    }

    #[test]
    fn installed_packages_need_no_root() {
        let facts = Facts { debian_ready: true, may_install: false, rustup_present: false, ..DEBIAN_ROOT };
        assert_eq!(ways(facts), [Way::DebianReady]);
    }

    #[test]
    fn packages_are_not_installed_without_leave() {
        assert_eq!(ways(Facts { may_install: false, ..DEBIAN_ROOT }), [Way::Rustup]);
        assert_eq!(ways(Facts { apt_present: false, ..DEBIAN_ROOT }), [Way::Rustup]);
    }

    #[test]
    fn a_forced_way_is_the_only_one() {
        let debian = Facts { library_present: true, forced: Some(Forced::Debian), ..DEBIAN_ROOT };
        assert_eq!(ways(debian), [Way::DebianInstall]);
        assert_eq!(ways(Facts { forced: Some(Forced::Rustup), ..DEBIAN_ROOT }), [Way::Rustup]);
    }

    #[test]
    fn whoever_has_nothing_is_told_about_every_way() {
        assert_eq!(ways(Facts::default()), []);
        assert_eq!(ruled_out(Facts::default()).len(), 2);
        assert_eq!(ruled_out(DEBIAN_ROOT), Vec::<String>::new());
        assert!(ruled_out(Facts { may_install: false, ..DEBIAN_ROOT })[0].contains("sudo"));
    }

    #[test]
    fn only_known_words_force_a_way() {
        assert_eq!(Forced::parse("debian").unwrap(), Some(Forced::Debian));
        assert_eq!(Forced::parse("rustup").unwrap(), Some(Forced::Rustup));
        assert_eq!(Forced::parse("").unwrap(), None);
        assert!(Forced::parse("nightly").unwrap_err().to_string().contains("`nightly`"));
    }
}

//! Removes from the WebAssembly module what the page does not use.
//!
//! The log decoder (`defmt-decoder`) depends on chrono, and chrono for WebAssembly depends on js-sys. js-sys describes
//! the whole standard library of JavaScript for the tool `wasm-bindgen`, in a custom section of 200 KB and in 1,500
//! exports with names of 88 KB. The page does not use that tool, and no feature switches the descriptions off. The
//! linker keeps them, so they are removed here: all custom sections, and the exports of `wasm-bindgen`.
//!
//! By hand, because the crates that read and write WebAssembly model every instruction, and here two kinds of section
//! are enough.

/// The first bytes of a module: its magic number and version 1.
const HEADER: &[u8] = b"\0asm\x01\0\0\0";
const CUSTOM_SECTION: u8 = 0;
const EXPORT_SECTION: u8 = 7;
/// The beginnings of the names that `wasm-bindgen` exports.
const UNUSED_EXPORTS: [&[u8]; 2] = [b"__wbindgen_", b"__wbg_"];

/// The module without custom sections and without the exports of `wasm-bindgen`; `None` if it is not a module.
pub(crate) fn strip(module: &[u8]) -> Option<Vec<u8>> {
    let mut rest = module.strip_prefix(HEADER)?;
    let mut stripped = HEADER.to_vec();
    while !rest.is_empty() {
        let id = take_byte(&mut rest)?;
        let length = take_number(&mut rest)?;
        let content = rest.split_off(..length)?;
        match id {
            CUSTOM_SECTION => {}
            EXPORT_SECTION => push_section(&mut stripped, id, &used_exports(content)?),
            _ => push_section(&mut stripped, id, content),
        }
    }
    Some(stripped)
}

/// An export section without the exports of `wasm-bindgen`. Each export is a name, a kind (one byte) and an index.
fn used_exports(mut section: &[u8]) -> Option<Vec<u8>> {
    let (mut count, mut used) = (0, Vec::<u8>::new());
    for _ in 0..take_number(&mut section)? {
        let export = section;
        let length = take_number(&mut section)?;
        let name = section.split_off(..length)?;
        take_byte(&mut section)?;
        take_number(&mut section)?;
        if !UNUSED_EXPORTS.iter().any(|start| name.starts_with(start)) {
            count += 1;
            used.extend(&export[..export.len() - section.len()]);
        }
    }
    let mut content = Vec::new();
    push_number(&mut content, count);
    content.extend(used);
    Some(content)
}

fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    rest.split_off_first().copied()
}

/// Reads a number of 32 bits in LEB128: seven bits a byte, the lowest first, the top bit set in all but the last byte.
fn take_number(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0_u64;
    for shift in [0, 7, 14, 21, 28] {
        let byte = take_byte(rest)?;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return usize::try_from(number).ok();
        }
    }
    None
}

fn push_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn push_section(module: &mut Vec<u8>, id: u8, content: &[u8]) {
    module.push(id);
    push_number(module, content.len());
    module.extend(content);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of these sections.
    fn module(sections: &[(u8, &[u8])]) -> Vec<u8> {
        let mut module = HEADER.to_vec();
        sections.iter().for_each(|(id, content)| push_section(&mut module, *id, content));
        module
    }

    fn exports(names: &[&str]) -> Vec<u8> {
        let mut content = Vec::new();
        push_number(&mut content, names.len());
        for (index, name) in names.iter().enumerate() {
            push_number(&mut content, name.len());
            content.extend(name.bytes());
            content.push(0);
            push_number(&mut content, 200 + index);
        }
        content
    }

    #[test]
    fn custom_sections_are_removed() {
        let long = [7; 300];
        let all = module(&[(0, b"\x04name..."), (1, &long), (0, b"\x01x"), (10, b"code")]);
        assert_eq!(strip(&all).unwrap(), module(&[(1, &long), (10, b"code")]));
    }

    #[test]
    fn exports_of_wasm_bindgen_are_removed() {
        let all = exports(&["run", "__wbindgen_describe_x", "memory"]);
        let mut used = exports(&["run", "__wbindgen_describe_x", "memory"]);
        let start = used.windows(2).position(|pair| pair == b"__").unwrap() - 1;
        used.drain(start..start + 1 + "__wbindgen_describe_x".len() + 3);
        used[0] = 2;
        assert_eq!(strip(&module(&[(7, &all)])).unwrap(), module(&[(7, &used)]));
    }

    #[test]
    fn damaged_module_is_refused() {
        assert_eq!(strip(b""), None);
        assert_eq!(strip(b"\0asm\x02\0\0\0"), None, "another version");
        let good = module(&[(1, b"types"), (7, &exports(&["run"]))]);
        assert!(strip(&good).is_some());
        for length in (9..good.len()).filter(|length| *length != HEADER.len() + 7) {
            assert_eq!(strip(&good[..length]), None, "{length} bytes");
        }
        assert_eq!(strip(&module(&[(7, &[0xFF; 9])])), None, "a number without an end");
    }
}

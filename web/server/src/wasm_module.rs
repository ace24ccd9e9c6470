//! Removes from the WebAssembly module what the page does not use.
//!
//! The log decoder (`defmt-decoder`) depends on chrono, and chrono for WebAssembly depends on js-sys. js-sys describes
//! the whole standard library of JavaScript for the tool `wasm-bindgen`, in a custom section of 200 KB and in 1,500
//! exports with names of 88 KB. The page does not use that tool, and no feature switches the descriptions off. The
//! linker keeps them, so they are removed here: all custom sections, and the exports of `wasm-bindgen`.

use wasm_encoder::{ExportKind, ExportSection, Module, RawSection};
use wasmparser::{BinaryReaderError, ExportSectionReader, ExternalKind, Parser, Payload};

/// The prefixes of the names that `wasm-bindgen` exports.
const UNUSED_EXPORTS: [&str; 2] = ["__wbindgen_", "__wbg_"];

/// The module without custom sections and without the exports of `wasm-bindgen`.
pub(crate) fn strip(module: &[u8]) -> Result<Vec<u8>, BinaryReaderError> {
    let mut stripped = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::CustomSection(_) => {}
            Payload::ExportSection(exports) => {
                stripped.section(&used_exports(exports)?);
            }
            other => {
                if let Some((id, range)) = other.as_section() {
                    stripped.section(&RawSection { id, data: &module[range.start as usize..range.end as usize] });
                }
            }
        }
    }
    Ok(stripped.finish())
}

fn used_exports(exports: ExportSectionReader<'_>) -> Result<ExportSection, BinaryReaderError> {
    let mut used = ExportSection::new();
    for export in exports {
        let export = export?;
        if !UNUSED_EXPORTS.iter().any(|prefix| export.name.starts_with(prefix)) {
            let kind = match export.kind {
                ExternalKind::Func | ExternalKind::FuncExact => ExportKind::Func,
                ExternalKind::Table => ExportKind::Table,
                ExternalKind::Memory => ExportKind::Memory,
                ExternalKind::Global => ExportKind::Global,
                ExternalKind::Tag => ExportKind::Tag,
            };
            used.export(export.name, kind, export.index);
        }
    }
    Ok(used)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use wasm_encoder::{CustomSection, MemorySection, MemoryType};

    use super::*;

    /// A module with one memory, which it exports under these names.
    fn module(exports: &[&str], custom: Option<&str>) -> Vec<u8> {
        let mut module = Module::new();
        let mut memories = MemorySection::new();
        memories.memory(MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None });
        let mut section = ExportSection::new();
        exports.iter().for_each(|name| {
            section.export(name, ExportKind::Memory, 0);
        });
        if let Some(name) = custom {
            module.section(&CustomSection { name: Cow::Borrowed(name), data: Cow::Borrowed(&[7; 300]) });
        }
        module.section(&memories).section(&section);
        module.finish()
    }

    #[test]
    fn custom_sections_are_removed() {
        assert_eq!(strip(&module(&["run"], Some("producers"))).unwrap(), module(&["run"], None));
    }

    #[test]
    fn exports_of_wasm_bindgen_are_removed() {
        let all = module(&["run", "__wbindgen_describe_x", "__wbg_y", "memory"], None);
        assert_eq!(strip(&all).unwrap(), module(&["run", "memory"], None));
    }

    #[test]
    fn damaged_module_is_refused() {
        assert!(strip(b"").is_err());
        assert!(strip(b"\0asm\x02\0\0\0").is_err(), "another version");
        let good = module(&["run"], None);
        assert!(strip(&good).is_ok());
        assert!(strip(&good[..good.len() - 1]).is_err(), "the last byte is missing");
    }
}

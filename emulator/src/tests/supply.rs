//! The battery: its voltage at the ADC, the VBUS pin, and a brown-out.

use super::flash::saver;
use super::*;
use crate::Supply;
use lights_out::wiring::PicoPins;

const RESETS_CLEAR: u32 = 0x4000_F000;
const ADC: u32 = 0x4004_C000;
const VSYS_PAD: u32 = PADS_BANK0 + 4 + 4 * PicoPins::ALL.vsys as u32;

/// A supply by a battery with this voltage and internal resistance.
fn battery(millivolts: u32, milliohms: u32) -> Options {
    Options { supply: Supply::Battery { millivolts, milliohms }, ..Options::default() }
}

/// A program that converts the voltage at VSYS, with this value in its pad register. It waits more than a millisecond
/// until the pin has settled, and converts four times, because the first three samples are low. A conversion is over
/// after 300 cycles. The program writes the last result and the pins to RAM.
fn converter(pad: u32) -> Program {
    let mut program = Program::new();
    program.write(RESETS_CLEAR, 1).write(VSYS_PAD, pad).load(5, 5_000).op(0x3D01).op(0xD1FD);
    program.write(ADC, 1);
    for _ in 0..4 {
        program.write(ADC, 3 << 12 | 1 << 2 | 1).load(5, 100).op(0x3D01).op(0xD1FD);
    }
    program.copy(ADC, RAM).copy(ADC + 4, RAM + 4).copy(GPIO_IN, RAM + 8).op(WFE).op(SELF);
    program
}

fn converted(pad: u32, options: Options) -> (u32, bool) {
    let mut handheld = converter(pad).start(options);
    handheld.run_for(ms(20));
    assert_eq!(handheld.ram(RAM) & 1 << 8, 1 << 8, "READY is set");
    (handheld.ram(RAM + 4), handheld.ram(RAM + 8) >> PicoPins::ALL.vbus & 1 != 0)
}

#[test]
fn adc_converts_a_third_of_vsys() {
    let analogue = 1 << 7;
    for (millivolts, milliohms) in [(4500, 0), (4500, 2000), (3000, 0)] {
        let (sample, vbus) = converted(analogue, battery(millivolts, milliohms));
        // The board takes 25 mA. The reference voltage of 3.27 V is 4096 counts.
        let exact = (millivolts - 25 * milliohms / 1000) / 3 * 4096 / 3270;
        assert!(sample.abs_diff(exact) <= 5, "{sample} at {millivolts} mV, not {exact}");
        assert!(!vbus);
    }
    let (sample, vbus) = converted(analogue, Options::default());
    assert!(sample.abs_diff(4700 / 3 * 4096 / 3270) <= 5 && vbus, "5 V from USB, through a diode");
}

#[test]
fn digital_input_of_the_pad_disturbs_the_conversion() {
    let reset = 0x56;
    let samples: Vec<u32> = (0..8).map(|seed| converted(reset, Options { seed, ..battery(4500, 0) }).0).collect();
    assert!(samples.iter().any(|sample| sample.abs_diff(1879) > 200), "{samples:?}");
}

#[test]
fn vbus_overrides_a_pull() {
    let mut program = Program::new();
    program.write(PADS_BANK0 + 4 + 4 * u32::from(PicoPins::ALL.vbus), 0x4A).op(WFE).op(SELF);
    let mut handheld = program.start(battery(4500, 0));
    handheld.run_for(ms(1));
    assert!(!handheld.pin(PicoPins::ALL.vbus.into()));
    handheld.set_supply(Supply::Usb);
    assert!(handheld.pin(PicoPins::ALL.vbus.into()));
}

#[test]
fn brown_out_tears_the_flash_operation() {
    let old = vec![0; 2 << 20];
    let mut handheld = saver().start(Options { flash: Some(old.clone()), ..battery(2_800, 2_000) });
    handheld.run_for(ms(20));
    // 50 mA through 2 ohm.
    assert_eq!((handheld.vsys(), handheld.lowest_vsys_at_write()), (2_700, Some(2_750)));
    handheld.set_supply(Supply::Battery { millivolts: 1_950, milliohms: 2_000 });
    handheld.run_for(ms(20));
    assert_eq!(handheld.stop_reason(), Some(StopReason::BrownOut));
    let image = handheld.power_off();
    let torn: u32 = image[0x1F_0000..0x1F_1000].iter().map(|byte| byte.count_ones()).sum();
    assert!((10_000..20_000).contains(&torn), "{torn} of 32768 bits are set");
    assert_eq!(image[0x1F_1000], 0);
    // Without a flash operation, the chip continues to run at this voltage.
    let mut handheld = converter(0).start(battery(1_950, 2_000));
    handheld.run_for(ms(20));
    assert_eq!(handheld.stop_reason(), None);
}

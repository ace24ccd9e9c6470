//! The nine instructions, each with what may stand behind it: data sheet 3.4.

use pio_core::{
    InSource, Instruction, InstructionOperands as Operands, IrqIndexMode, JmpCondition, MovDestination, MovOperation,
    MovRxIndex, MovSource, OutDestination, SetDestination, WaitSource,
};

use crate::expression::Later;
use crate::mistake::Mistake;
use crate::tokens::Tokens;

/// One end of a `mov`: a register, or one of the RP2350's queues, which are moved by another instruction.
#[derive(Clone, Copy, Debug)]
enum End<T> {
    Register(T),
    Queue(MovRxIndex),
}

const QUEUES: [(&str, MovRxIndex); 5] = [
    ("rxfifo[y]", MovRxIndex::RXFIFOY),
    ("rxfifo[0]", MovRxIndex::RXFIFO0),
    ("rxfifo[1]", MovRxIndex::RXFIFO1),
    ("rxfifo[2]", MovRxIndex::RXFIFO2),
    ("rxfifo[3]", MovRxIndex::RXFIFO3),
];

/// A number that goes into a byte; the instruction's own limits are narrower, and looked after by `pio-core`.
fn byte(number: i32) -> u8 {
    u8::try_from(number).unwrap_or_else(|_| panic!("{number} is out of range"))
}

impl<'a> Tokens<'a> {
    /// An instruction with its side-set and its delay, in any order.
    pub fn instruction(&mut self) -> Result<Later<'a, Instruction>, Mistake> {
        let operands = self.operands()?;
        let (mut side_set, mut delay) = (None, None);
        loop {
            if side_set.is_none() && self.takes("side") {
                side_set = Some(self.value()?);
            } else if delay.is_none() && self.takes("[") {
                delay = Some(self.expression()?);
                self.must_take("]")?;
            } else {
                break;
            }
        }
        Ok(Box::new(move |names| Instruction {
            operands: operands(names),
            side_set: side_set.as_ref().map(|value| byte(value(names))),
            delay: delay.as_ref().map_or(0, |value| byte(value(names))),
        }))
    }

    fn operands(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        type Reader<'a> = fn(&mut Tokens<'a>) -> Result<Later<'a, Operands>, Mistake>;
        let instructions: [(&str, Reader<'a>); 10] = [
            ("nop", Self::nop),
            ("jmp", Self::jmp),
            ("wait", Self::wait),
            ("in", Self::shift_in),
            ("out", Self::shift_out),
            ("push", Self::push),
            ("pull", Self::pull),
            ("mov", Self::mov),
            ("irq", Self::irq),
            ("set", Self::set),
        ];
        let read = self.one_of(&instructions)?;
        read(self)
    }

    /// The data sheet's way to do nothing.
    fn nop(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let (destination, op, source) = (MovDestination::Y, MovOperation::None, MovSource::Y);
        Ok(Box::new(move |_| Operands::MOV { destination, op, source }))
    }

    fn jmp(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let condition = self.condition()?;
        self.takes(",");
        let address = self.expression()?;
        Ok(Box::new(move |names| Operands::JMP { condition, address: byte(address(names)) }))
    }

    fn condition(&mut self) -> Result<JmpCondition, Mistake> {
        if self.takes("!") {
            let empty = JmpCondition::OutputShiftRegisterNotEmpty;
            return self.one_of(&[("x", JmpCondition::XIsZero), ("y", JmpCondition::YIsZero), ("osre", empty)]);
        }
        if self.takes("x") {
            if self.takes("!=") {
                self.must_take("y")?;
                return Ok(JmpCondition::XNotEqualY);
            }
            return self.must_take("--").map(|()| JmpCondition::XDecNonZero);
        }
        if self.takes("y") {
            return self.must_take("--").map(|()| JmpCondition::YDecNonZero);
        }
        Ok(if self.takes("pin") { JmpCondition::PinHigh } else { JmpCondition::Always })
    }

    fn wait(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let polarity = self.value()?;
        let source = self.one_of(&[("gpio", WaitSource::GPIO), ("pin", WaitSource::PIN), ("irq", WaitSource::IRQ)])?;
        self.takes(",");
        let index = self.value()?;
        let relative = self.takes("rel");
        Ok(Box::new(move |names| {
            let (polarity, index) = (byte(polarity(names)), byte(index(names)));
            Operands::WAIT { polarity, source, index, relative }
        }))
    }

    fn shift_in(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let source = self.one_of(&[
            ("pins", InSource::PINS),
            ("x", InSource::X),
            ("y", InSource::Y),
            ("null", InSource::NULL),
            ("isr", InSource::ISR),
            ("osr", InSource::OSR),
        ])?;
        self.takes(",");
        let count = self.value()?;
        Ok(Box::new(move |names| Operands::IN { source, bit_count: byte(count(names)) }))
    }

    fn shift_out(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let destination = self.one_of(&[
            ("pins", OutDestination::PINS),
            ("x", OutDestination::X),
            ("y", OutDestination::Y),
            ("null", OutDestination::NULL),
            ("pindirs", OutDestination::PINDIRS),
            ("pc", OutDestination::PC),
            ("isr", OutDestination::ISR),
            ("exec", OutDestination::EXEC),
        ])?;
        self.takes(",");
        let count = self.value()?;
        Ok(Box::new(move |names| Operands::OUT { destination, bit_count: byte(count(names)) }))
    }

    fn push(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let (if_full, block) = (self.takes("iffull"), self.blocks());
        Ok(Box::new(move |_| Operands::PUSH { if_full, block }))
    }

    fn pull(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let (if_empty, block) = (self.takes("ifempty"), self.blocks());
        Ok(Box::new(move |_| Operands::PULL { if_empty, block }))
    }

    fn blocks(&mut self) -> bool {
        self.takes_one(&[("block", true), ("noblock", false)]).unwrap_or(true)
    }

    fn mov(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let to = self.end(&[
            ("pins", MovDestination::PINS),
            ("x", MovDestination::X),
            ("y", MovDestination::Y),
            ("pindirs", MovDestination::PINDIRS),
            ("exec", MovDestination::EXEC),
            ("pc", MovDestination::PC),
            ("isr", MovDestination::ISR),
            ("osr", MovDestination::OSR),
        ])?;
        self.takes(",");
        let inverted = MovOperation::Invert;
        let operation = self.takes_one(&[("!", inverted), ("~", inverted), ("::", MovOperation::BitReverse)]);
        let from = self.end(&[
            ("pins", MovSource::PINS),
            ("x", MovSource::X),
            ("y", MovSource::Y),
            ("null", MovSource::NULL),
            ("status", MovSource::STATUS),
            ("isr", MovSource::ISR),
            ("osr", MovSource::OSR),
        ])?;
        let op = operation.unwrap_or(MovOperation::None);
        let operands = match (to, from) {
            (End::Register(destination), End::Register(source)) => Operands::MOV { destination, op, source },
            (End::Queue(fifo_index), End::Register(MovSource::ISR)) => Operands::MOVTORX { fifo_index },
            (End::Register(MovDestination::OSR), End::Queue(fifo_index)) => Operands::MOVFROMRX { fifo_index },
            _ => panic!("only the ISR is moved to a queue, and only to the OSR is one moved"),
        };
        Ok(Box::new(move |_| operands))
    }

    fn end<T: Copy>(&mut self, registers: &[(&str, T)]) -> Result<End<T>, Mistake> {
        match self.takes_one(&QUEUES) {
            Some(queue) => Ok(End::Queue(queue)),
            None => self.one_of(registers).map(End::Register),
        }
    }

    fn irq(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let (clear, wait) = self
            .takes_one(&[
                ("set", (false, false)),
                ("nowait", (false, false)),
                ("wait", (false, true)),
                ("clear", (true, false)),
            ])
            .unwrap_or((false, false));
        let index = self.value()?;
        let mode =
            self.takes_one(&[("prev", IrqIndexMode::PREV), ("rel", IrqIndexMode::REL), ("next", IrqIndexMode::NEXT)]);
        let index_mode = mode.unwrap_or(IrqIndexMode::DIRECT);
        Ok(Box::new(move |names| Operands::IRQ { clear, wait, index: byte(index(names)), index_mode }))
    }

    fn set(&mut self) -> Result<Later<'a, Operands>, Mistake> {
        let destination = self.one_of(&[
            ("pins", SetDestination::PINS),
            ("x", SetDestination::X),
            ("y", SetDestination::Y),
            ("pindirs", SetDestination::PINDIRS),
        ])?;
        self.takes(",");
        let data = self.value()?;
        Ok(Box::new(move |names| Operands::SET { destination, data: byte(data(names)) }))
    }
}

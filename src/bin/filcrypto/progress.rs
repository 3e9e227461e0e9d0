//! Progress on stderr: a bar on a terminal, a line for each phase elsewhere.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

use filcrypto::telemetry::progress::Progress;
use indicatif::{ProgressBar, ProgressStyle};

const BAR: &str = "{prefix}: {msg:<22} [{bar:30}] {percent:>3}% {elapsed}";
const SPINNER: &str = "{prefix}: {msg:<22} {spinner} {human_pos} {elapsed}";

pub struct Reporter {
    /// What is made.
    subject: String,
    bar: Mutex<ProgressBar>,
    terminal: bool,
}

impl Reporter {
    pub fn new(subject: impl ToString) -> Self {
        Self {
            subject: subject.to_string(),
            bar: Mutex::new(ProgressBar::hidden()),
            terminal: std::io::stderr().is_terminal(),
        }
    }

    fn current(&self) -> ProgressBar {
        // A panic elsewhere leaves the bar as it was.
        self.bar.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    fn bar(&self, phase: &str, total: Option<u64>) -> ProgressBar {
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), BAR),
            None => (ProgressBar::new_spinner(), SPINNER),
        };
        let style = ProgressStyle::with_template(template).expect("the templates are constants");
        bar.set_style(style.progress_chars("=> "));
        bar.set_prefix(self.subject.clone());
        bar.set_message(phase.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

impl Progress for Reporter {
    fn begin(&self, phase: &str, total: Option<u64>) {
        if !self.terminal {
            match total {
                Some(total) => eprintln!("{}: {phase} ({total})", self.subject),
                None => eprintln!("{}: {phase}", self.subject),
            }
            return;
        }
        self.current().finish_and_clear();
        let bar = self.bar(phase, total);
        *self.bar.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = bar;
    }

    fn advance(&self, steps: u64) {
        self.current().inc(steps);
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.current().finish_and_clear();
    }
}

//! The panic boundary: every exported function runs its body through one of these calls, so that no panic crosses into C
//! and every failure becomes a response.

use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;

use super::types::{FCPResponseStatus, Response};
use crate::error::{Error, Result};
use crate::{config, telemetry};

const NO_ERROR: i32 = FCPResponseStatus::F_C_P_RESPONSE_STATUS_NO_ERROR as i32;
const UNCLASSIFIED_ERROR: i32 = FCPResponseStatus::F_C_P_RESPONSE_STATUS_UNCLASSIFIED_ERROR as i32;

/// Runs a guarded call: checks the settings, starts the logger, logs start and end, and boxes the response. Error texts
/// include their causes.
pub fn respond<R: Response>(name: &'static str, body: impl FnOnce() -> Result<R::Value>) -> *mut R {
    box_response(run(name, body), Error::full_text)
}

/// Like [`respond`], for calls whose failed response carries a value made from the error; texts are one line.
pub fn respond_with_faults<R: Response>(
    name: &'static str,
    body: impl FnOnce() -> Result<R::Value>,
    failed: impl FnOnce(&Error) -> R::Value,
) -> *mut R {
    let response = match run(name, body) {
        Ok(value) => R::new(NO_ERROR, Default::default(), value),
        Err(error) => failure(error.to_string(), failed(&error)),
    };
    Box::into_raw(Box::new(response))
}

/// For the calls that must not start the logger or read settings.
pub fn respond_quietly<R: Response>(name: &'static str, body: impl FnOnce() -> Result<R::Value>) -> *mut R {
    box_response(catch(name, body), Error::full_text)
}

/// For functions that return a bare value: `fallback` stands for any failure.
pub fn guard<T>(name: &'static str, fallback: T, body: impl FnOnce() -> Result<T>) -> T {
    catch(name, body).unwrap_or(fallback)
}

/// Frees a boxed response or array; NULL is accepted.
///
/// # Safety
/// `pointer` is NULL or came from this library, and was not freed before.
pub unsafe fn destroy<T>(name: &'static str, pointer: *mut T) {
    guard(name, (), || {
        if !pointer.is_null() {
            // SAFETY: promised by the caller; every pointer that the library gives out comes from Box::into_raw.
            drop(unsafe { Box::from_raw(pointer) });
        }
        Ok(())
    })
}

fn run<T>(name: &'static str, body: impl FnOnce() -> Result<T>) -> Result<T> {
    catch(name, || {
        telemetry::log::start()?;
        telemetry::metrics::start();
        config::check()?;
        log::debug!("{name}: start");
        let result = body();
        log::debug!("{name}: end");
        result
    })
}

fn catch<T>(name: &'static str, body: impl FnOnce() -> Result<T>) -> Result<T> {
    // Unwind safety: what a panic may leave half done is owned by the body and dropped with it; the process-wide state that
    // bodies touch is behind fallible initialisation or locks that recover from poison.
    catch_unwind(AssertUnwindSafe(|| {
        injected_panic(name);
        body()
    }))
    .unwrap_or_else(|payload| Err(Error::Panic(panic_text(payload.as_ref()))))
}

fn panic_text(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&'static str>() {
        return (*text).to_owned();
    }
    match payload.downcast_ref::<String>() {
        Some(text) => text.clone(),
        None => "no unwind information".to_owned(),
    }
}

fn box_response<R: Response>(result: Result<R::Value>, text: impl FnOnce(&Error) -> String) -> *mut R {
    let response = match result {
        Ok(value) => R::new(NO_ERROR, Default::default(), value),
        Err(error) => failure(text(&error), R::failed_value()),
    };
    Box::into_raw(Box::new(response))
}

fn failure<R: Response>(text: String, value: R::Value) -> R {
    R::new(UNCLASSIFIED_ERROR, text.into_bytes().into(), value)
}

static INJECTION_ARMED: AtomicBool = AtomicBool::new(false);
static INJECTION: Mutex<Option<&'static str>> = Mutex::new(None);

/// For tests: makes the next call of the named function panic with a formatted text, once.
#[doc(hidden)]
pub fn inject_panic(name: &'static str) {
    *INJECTION.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(name);
    INJECTION_ARMED.store(true, Ordering::Release);
}

fn injected_panic(name: &str) {
    if !INJECTION_ARMED.load(Ordering::Acquire) {
        return;
    }
    let mut armed = INJECTION.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if *armed == Some(name) {
        *armed = None;
        INJECTION_ARMED.store(false, Ordering::Release);
        drop(armed);
        panic!("injected into {name}");
    }
}

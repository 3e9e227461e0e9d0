/*
 * filcrypto: what the library offers beyond filecoin-ffi v1.36.1. The resident SRS, metrics, a timeline, the settings.
 *
 * Generated from src/ffi/resident.rs by cbindgen; `make header` writes it anew. The habits are those of filcrypto.h: results
 * are never NULL, status_code is 0 on success, error_msg says why not, every result is freed once by its destructor, and no
 * call aborts the process or unwinds into the caller.
 */

#ifndef FILCRYPTO_RESIDENT_H
#define FILCRYPTO_RESIDENT_H

#include "filcrypto.h"

/**
 * Kinds of proofs, each with an SRS of its own: sealing in all its forms.
 */
#define FILCRYPTO_KIND_POREP 0

/**
 * Winning PoSt.
 */
#define FILCRYPTO_KIND_WINNING 1

/**
 * Window PoSt.
 */
#define FILCRYPTO_KIND_WINDOW 2

/**
 * Sector update.
 */
#define FILCRYPTO_KIND_UPDATE 3

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Version and build of the library.
 *
 * @return a JSON object: `version`, `drop_in_for`, `allocator`, `target`. Free with filcrypto_destroy_text.
 *         Threads: any.
 */
Result_slice_boxed_uint8_t *filcrypto_version(void);

/**
 * Every setting with the value that holds and where it comes from.
 *
 * @return a JSON array of objects: `name`, `value`, `source`. Free with filcrypto_destroy_text. Threads: any.
 */
Result_slice_boxed_uint8_t *filcrypto_settings(void);

/**
 * Loads the SRS of a kind of proof, so that the first proof does not wait for it: maps the shared image, or decodes the
 * parameter file and writes the image. Returns when all of it is in memory, at once if it is already.
 *
 * @param kind         a FILCRYPTO_KIND_*
 * @param sector_size  bytes: 2 KiB, 8 MiB, 512 MiB, 32 GiB or 64 GiB
 * @return nothing; status 1 when the parameter file is missing or damaged, or the SRS is larger than the budget. Free with
 *         filcrypto_destroy_void. Threads: any; loads of one SRS at once are one load.
 */
Result_void_t *filcrypto_srs_preload(int32_t kind,
                                     uint64_t sector_size);

/**
 * Gives the memory of an SRS back. Its shared image stays, so that the next load is quick.
 *
 * @param kind         a FILCRYPTO_KIND_*
 * @param sector_size  bytes
 * @return true when it was resident; status 1 when proofs use it or it is being loaded. Free with filcrypto_destroy_bool.
 *         Threads: any.
 */
Result_bool_t *filcrypto_srs_evict(int32_t kind,
                                   uint64_t sector_size);

/**
 * What this process holds and does.
 *
 * @return a JSON object: `budget_bytes`, `used_bytes`; `srs`, an array of `id`, `state` (cold, loading, resident or
 *         evicting), `bytes`, `leases`, `shared`; `work`, an array of `subject`, `phase`, `done`, `total`, `seconds`,
 *         `seconds_left`. Free with filcrypto_destroy_text. Threads: any, at any time.
 */
Result_slice_boxed_uint8_t *filcrypto_srs_status(void);

/**
 * All counters, gauges and histograms.
 *
 * @return text in the exposition format of Prometheus. Free with filcrypto_destroy_text. Threads: any, at any time.
 */
Result_slice_boxed_uint8_t *filcrypto_metrics(void);

/**
 * Starts to record a timeline of what the library does on each thread. One recording runs at a time.
 *
 * @param path  the file to write when the recording stops; made now, replaced if it exists; borrowed
 * @return nothing; status 1 when the file cannot be made or a recording runs. Free with filcrypto_destroy_void. Threads: any.
 */
Result_void_t *filcrypto_timeline_start(slice_ref_uint8_t path);

/**
 * Stops the recording and writes its file: JSON that Perfetto and Chrome open.
 *
 * @return nothing; status 1 when no recording runs or the file cannot be written. Free with filcrypto_destroy_void.
 *         Threads: any.
 */
Result_void_t *filcrypto_timeline_stop(void);

/**
 * Frees a response with a text. NULL is accepted.
 */
void filcrypto_destroy_text(Result_slice_boxed_uint8_t *ptr);

/**
 * Frees a response without a value. NULL is accepted.
 */
void filcrypto_destroy_void(Result_void_t *ptr);

/**
 * Frees a response with a truth value. NULL is accepted.
 */
void filcrypto_destroy_bool(Result_bool_t *ptr);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* FILCRYPTO_RESIDENT_H */

//! Proofs and verifying keys as bytes, and their verification.

use bellperson::groth16::{prepare_verifying_key, verify_proof, PreparedVerifyingKey, Proof, VerifyingKey};
use blstrs::{Bls12, Scalar};

use crate::error::{Error, Result};

/// A proof is three compressed points: A and C in G1, B in G2.
pub const PROOF_BYTES: usize = 192;

/// A verifying key, prepared for any number of proofs.
pub struct Verifier {
    key: PreparedVerifyingKey<Bls12>,
    inputs: usize,
}

impl Verifier {
    /// From a verifying key in the form of `.vk` files. Every point must be in its group, and no byte may follow the last.
    pub fn from_bytes(mut key: &[u8]) -> Result<Self> {
        let vk = VerifyingKey::<Bls12>::read(&mut key)
            .map_err(|error| Error::message(format!("malformed verifying key: {error}")))?;
        if !key.is_empty() {
            let text = format!("malformed verifying key: {} bytes follow its last point", key.len());
            return Err(Error::message(text));
        }
        Ok(Self {
            inputs: vk.ic.len().saturating_sub(1),
            key: prepare_verifying_key(&vk),
        })
    }

    /// How many public inputs a proof has, the constant one not counted.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Whether the proof is valid for these public inputs; an error when it is no proof, or for another number of inputs.
    pub fn verify(&self, proof: &[u8], inputs: &[Scalar]) -> Result<bool> {
        if inputs.len() != self.inputs {
            return Err(Error::message(format!(
                "this key takes {} public inputs, {} were given",
                self.inputs,
                inputs.len()
            )));
        }
        let proof = Proof::read_many(proof, 1).map_err(|error| Error::message(format!("malformed proof: {error}")))?;
        let valid = verify_proof(&self.key, &proof[0], inputs);
        valid.map_err(|error| Error::message(format!("verification failed: {error}")))
    }
}

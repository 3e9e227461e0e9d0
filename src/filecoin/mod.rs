//! What is proved.

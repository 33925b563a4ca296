import fc from "fast-check";

// One seed, so that a test that passed passes again; FC_SEED makes another.
fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? 20_261_130) });

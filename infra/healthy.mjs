// Whether a service answers that it is ready: the health check of the images, which have no curl.
const answer = await fetch(process.argv[2], { signal: AbortSignal.timeout(4_000) }).catch(() => null);
process.exitCode = answer?.ok === true ? 0 : 1;

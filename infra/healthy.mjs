// Whether the addresses answer that they are ready: the health check of the images, which have no curl.
const ask = (url) => fetch(url, { signal: AbortSignal.timeout(4_000) }).catch(() => null);
const answers = await Promise.all(process.argv.slice(2).map(ask));
process.exitCode = answers.every((answer) => answer?.ok === true) ? 0 : 1;

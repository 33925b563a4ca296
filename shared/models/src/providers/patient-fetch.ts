/** Where Node's own fetch and undici's find what sends their requests. */
const globalDispatcher = Symbol.for("undici.globalDispatcher.1");

type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

/** Sends as everything else does, without the limits of 300 s for headers and body. */
const patient = {
  dispatch(options, handler) {
    const { [globalDispatcher]: usual } = globalThis as { [globalDispatcher]?: Dispatcher };
    if (usual === undefined) throw new Error("Node's fetch has nothing that sends its requests.");
    return usual.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  },
} satisfies Pick<Dispatcher, "dispatch">;

/** Node's fetch, whose caller alone says how long an answer may take: a long talk is watched for minutes, a model at home writes for as long. */
export const patientFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, dispatcher: patient as unknown as Dispatcher });

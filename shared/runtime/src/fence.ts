import type { ObjectStore } from "@proofroom/artifacts";
import { ProofroomError } from "@proofroom/contracts";
import { cancellationOf } from "./cancelled.ts";
import type { Ledger } from "./ledger.ts";
import type { StepRef } from "./ledger-keys.ts";

/** The pointer of an artifact's version: whoever creates it has written that version. */
const pointer = /\/\.nova\/history\/.+\/\d{6}\.json$/;

/** What an execution ends with that finds its step finished. */
export function finishedByAnother(): ProofroomError {
  return new ProofroomError({
    code: "cancelled",
    message: "The step was finished by another execution.",
    disposition: { kind: "retry" },
  });
}

/**
 * The same store for one execution of a step, which adds no version any more once the step is finished or cancelled,
 * or its run removed. A worker
 * that was frozen and taken for dead would otherwise lay what it has over the work of the steps that followed.
 * The question is asked between looking up the newest version and creating the next: had a later step written
 * meanwhile, the number is taken, the writer looks again, and finds the record.
 */
export function fence(store: ObjectStore, ledger: Ledger, step: StepRef): ObjectStore {
  return {
    async create(key, body, options) {
      if (pointer.test(key)) {
        const [record, cancellation] = await Promise.all([ledger.record(step), cancellationOf(ledger, step)]);
        if (record !== null) throw finishedByAnother();
        if (cancellation !== null) throw cancellation;
      }
      return store.create(key, body, options);
    },
    replace: (key, body, etag, options) => store.replace(key, body, etag, options),
    get: (key, options) => store.get(key, options),
    head: (key, options) => store.head(key, options),
    list: (prefix, options) => store.list(prefix, options),
    delete: (key, options) => store.delete(key, options),
    close: () => store.close(),
  };
}

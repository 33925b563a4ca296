export interface TestRedis {
  /** Its address, as REDIS_URL takes it: the path of a unix socket, or in a container redis://… */
  readonly url: string;
  /** Ends the server as a crash would; its append-only file stays. */
  kill(): Promise<void>;
  /** Starts it again at the same address with what its append-only file holds. */
  restart(): Promise<void>;
  /** Deletes everything. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What it has in common with production, wherever it runs. */
export const redisSettings = { appendonly: "yes", save: "", "maxmemory-policy": "noeviction" };

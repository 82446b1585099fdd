export type RedisProcessOptions = {
  bin: string;
  dataDir: string;
  appendfsync?: 'always' | 'everysec' | 'no';
  log?: (line: string) => void;
  restart?: boolean;
  port?: number;
  password?: string;
  databases?: number;
  lockWaitMs?: number;
  settings?: readonly string[];
};

export type RedisProcess = {
  url: string;
  port: number;
  password: string;
  /**
   * The process id of the current Redis server; undefined between the end of one server and the start of the
   * next.
   */
  pid: () => number | undefined;
  stop: () => Promise<void>;
  stopNow: (timeoutMs?: number) => void;
};

export function startRedis(options: RedisProcessOptions): Promise<RedisProcess>;
export function ensureRedisServer(env?: Record<string, string | undefined>): Promise<string>;
export function findRedisServer(env?: Record<string, string | undefined>): {bin?: string; tooOld?: string};

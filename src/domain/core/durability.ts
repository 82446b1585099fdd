/**
 * The server's setting for durability, which decides how many acknowledged writes survive a kill of the Redis
 * server.
 */
export type Durability = 'always' | 'everysec' | 'none' | 'unknown';

/**
 * The consequence of each setting: which writes a kill of the server loses, and what the operator can do
 * about it.
 */
export const durabilityAdvice: Readonly<Record<Durability, string>> = {
  always: 'nothing acknowledged is lost',
  everysec: 'a kill of Redis may lose the last second: set appendfsync always',
  none: 'a restart of Redis loses data: set appendonly yes and appendfsync always',
  unknown: 'the server does not tell: ask its operator for appendfsync always',
};

/** The server's durability, which decides how many acknowledged writes survive a kill of Redis. */
export type Durability = 'always' | 'everysec' | 'none' | 'unknown';

/** For each setting, the writes that a kill of the server loses, and advice for the operator. */
export const durabilityAdvice: Readonly<Record<Durability, string>> = {
  always: 'nothing acknowledged is lost',
  everysec: 'a kill of Redis may lose the last second: set appendfsync always',
  none: 'a restart of Redis loses data: set appendonly yes and appendfsync always',
  unknown: 'the server does not tell: ask its operator for appendfsync always',
};

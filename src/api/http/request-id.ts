import {randomFillSync} from 'node:crypto';
import {composeId, type GenerateSuffix, suffixFromBytes} from '../../domain/core/ids.js';
import {maskSecrets} from '../../domain/core/log.js';

const accepted = /^[A-Za-z0-9._-]{8,128}$/;
const suffixBytes = 10;

/** Creates random request ids. It asks the system for the bytes of a few hundred at a time. */
export function createIdSource(): GenerateSuffix {
  const pool = Buffer.alloc(suffixBytes * 512);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += suffixBytes;
    return suffixFromBytes(pool, used - suffixBytes);
  };
}

/** Returns the caller's id, or a new one if it is missing, malformed, or like a secret: ids are logged. */
export function chooseRequestId(
  header: string | string[] | undefined,
  generateSuffix: GenerateSuffix,
  nowMs: number,
): string {
  if (typeof header === 'string' && accepted.test(header) && maskSecrets(header) === header) return header;
  return composeId('request', nowMs, generateSuffix());
}

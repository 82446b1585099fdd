import type {DataFormats} from '../../src/store/core/installation.js';
import {openStore, type Store} from '../../src/store/store.js';
import type {TimeSource} from '../../src/store/core/time-source.js';
import {testRedisUrl} from '../support/redis-server.js';

export const testSecretKey = 'a secret key for tests, 32 characters or more';

export interface TestStore {
  readonly store: Store;
  readonly url: string;
}

/** Opens only the store, by default on an empty database of the shared test Redis. */
export async function openTestStore(
  options: {
    url?: string;
    sentinelPassword?: string | undefined;
    confirmReplicas?: number;
    secretKey?: string;
    secretKeyPrevious?: string;
    time?: TimeSource;
    formats?: DataFormats;
    onLoading?: (sentence: string) => void;
  } = {},
): Promise<TestStore> {
  const url = options.url ?? (await testRedisUrl());
  const store = await openStore({
    url,
    tlsVerify: true,
    sentinelPassword: options.sentinelPassword,
    confirmReplicas: options.confirmReplicas,
    servesSlack: false,
    secretKey: options.secretKey ?? testSecretKey,
    secretKeyPrevious: options.secretKeyPrevious,
    onError: () => undefined,
    time: options.time,
    formats: options.formats,
    onLoading: options.onLoading,
  });
  return {store, url};
}

/** Returns a deadline that no test reaches. */
export function newDeadline(): number {
  return performance.now() + 5_000;
}

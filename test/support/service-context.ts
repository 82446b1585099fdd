import {createHash} from 'node:crypto';
import {createZones} from '../../src/calendar/zones.js';
import {waysIn} from '../../src/domain/tokens/sign-in.js';
import type {Store} from '../../src/store/store.js';
import {createServiceContext, type ServiceContext} from '../../src/service/core/context.js';
import type {ServiceEnvironment} from '../../src/service/core/environment.js';
import {kinds} from '../../src/service/kinds.js';
import {asSuffix} from './ids.js';

/**
 * Creates the context of use cases on a real store. `changed`: the dependencies that a test watches or
 * exchanges.
 */
export function createTestContext(
  {store}: {readonly store: Store},
  changed: Partial<ServiceContext> = {},
): ServiceContext {
  const unused = (): never => {
    throw new Error('The test has no such dependency.');
  };
  const environment: ServiceEnvironment = {
    ...store,
    zones: createZones(),
    monotonic: () => performance.now(),
    pulse: 1_000,
    nextSlice: async () => undefined,
    publicHolidays: {load: unused, list: async () => new Map(), listRegions: unused, findRegionError: unused},
    readCalendarFile: unused,
    generateSuffix: () => asSuffix('7000000000000000'),
    sha256: (text) => createHash('sha256').update(text).digest(),
    wake: () => undefined,
    log: {debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined},
    trustedIssuers: [],
    waysIn: new Set(waysIn.filter((way) => way !== 'mail' || changed.mail !== undefined)),
    signer: {findSigningKeyId: unused, sign: unused},
    generateSecret: unused,
    publicUrl: 'http://localhost',
    createSecret: unused,
    renderMail: unused,
    checkTarget: () => undefined,
    checkTls: () => undefined,
    ...changed,
  };
  return {...createServiceContext(environment, kinds), ...changed};
}

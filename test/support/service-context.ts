import {createHash} from 'node:crypto';
import {createZones} from '../../src/calendar/zones.js';
import {waysIn} from '../../src/domain/tokens/sign-in.js';
import type {Store} from '../../src/store/store.js';
import {createServiceContext, type ServiceContext} from '../../src/service/core/context.js';
import type {ServiceEnvironment} from '../../src/service/core/environment.js';
import {kinds} from '../../src/service/kinds.js';
import {asSuffix} from './ids.js';

/** The dependencies that a test watches or exchanges. */
export type ChangedDependencies = Partial<Omit<ServiceContext, 'teams'>>;

/** Creates the context of use cases on a real store. */
export function createTestContext(
  found: {readonly store: Store},
  changed: ChangedDependencies = {},
): ServiceContext {
  return {...createServiceContext(createTestEnvironment(found, changed), kinds), ...changed};
}

/** Creates everything that services need from outside, on a real store. */
export function createTestEnvironment(
  {store}: {readonly store: Store},
  changed: ChangedDependencies = {},
): ServiceEnvironment {
  const unused = (): never => {
    throw new Error('The test has no such dependency.');
  };
  return {
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
}

import type {TimeSource} from '../../src/store/core/time-source.js';

export const clockKey: string;
export const clockLua: string;
export function clockChannel(redisUrl: string): string;
export function followersKey(ms: number): string;
export function followClock(redisUrl: string): Promise<TimeSource>;

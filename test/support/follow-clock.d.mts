import type {TimeSource} from '../../src/store/core/time-source.js';

export const clockKey: string;
export const clockLua: string;
export const shownTime: string;
export const shownClockLua: string;
export function clockChannel(redisUrl: string): string;
export function followersKey(ms: number): string;
export function followClock(secrets: {redisUrl: string; queueRedisUrl: string}): Promise<TimeSource>;

import {frame} from './de/frame.ts';
import {parts, status} from './de/parts.ts';
import type {Words} from './words.ts';

export const de: Words = {frame, parts, status};

import {frame} from './de/frame.ts';
import type {Words} from './words.ts';

export const de: Words = {frame};

import {frame} from './de/frame.ts';
import type {Words} from './en.ts';

export const de: Words = {frame};

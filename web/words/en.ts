import {frame} from './en/frame.ts';

export const en = {frame};

export type Words = typeof en;

import {frame} from './en/frame.ts';
import {parts, status} from './en/parts.ts';

export const en = {frame, parts, status};

import {plainText} from '../core/markdown.js';
import {findTodaySection} from '../core/text.js';
import type {Standup} from './standup.js';

/** Returns what a standup says about its own day, as plain text, from which the next standup begins. */
export function findPlan({update, format = 'plain'}: Standup): string {
  return plainText(findTodaySection(update), format);
}

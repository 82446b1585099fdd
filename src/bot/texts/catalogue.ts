import type {en} from './en.js';

/**
 * The catalogue of one language, with the type of the English one. One that lacks a sentence does not
 * compile.
 */
export type Texts = Widen<typeof en>;

type Widen<T> = T extends string
  ? string
  : T extends (...args: never[]) => string
    ? T
    : T extends readonly string[]
      ? readonly string[]
      : {readonly [K in keyof T]: Widen<T[K]>};

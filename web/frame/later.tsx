import {type ComponentType, lazy} from 'react';
import {type Further, loadWords} from '../words/words.ts';

/** Loads what is not of the first screen, with the words it needs. */
export async function later<Module>(load: () => Promise<Module>, further: Further = 'more'): Promise<Module> {
  const [module] = await Promise.all([load(), loadWords(further)]);
  return module;
}

/** A component that is loaded when it is first shown: one of a module's exports. */
export function lazily<Props, Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
) {
  return lazy(async () => ({default: (await later(load))[name]}));
}

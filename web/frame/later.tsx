import {type ComponentType, lazy} from 'react';
import {type ExtraMessages, loadTexts} from '../texts/texts.ts';

/** Loads a module that the first screen does not need, with its texts in the app's language. */
export async function loadModuleWithTexts<Module>(
  load: () => Promise<Module>,
  further: ExtraMessages = 'more',
): Promise<Module> {
  const [module] = await Promise.all([load(), loadTexts(further)]);
  return module;
}

/** A component that is loaded when it is first rendered. `name` is the component's export in the module. */
export function lazyComponent<Props, Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
) {
  return lazy(async () => ({default: (await loadModuleWithTexts(load))[name]}));
}

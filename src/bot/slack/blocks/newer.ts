import {z} from 'zod';

/**
 * Reads a form or button that a newer version may have made: properties that no variant knows are left out. A
 * property of another variant is still refused.
 */
export function readNewer<U extends z.ZodDiscriminatedUnion<z.ZodObject[]>>(union: U) {
  const known = new Set(union.options.flatMap(({shape}) => Object.keys(shape)));
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => known.has(name)));
  }, union);
}

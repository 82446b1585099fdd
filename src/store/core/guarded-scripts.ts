import {absentKeyBeside} from './keys.js';
import {type Script, script} from './script.js';

/** A command that may leave its key empty, so that the key exists no longer. */
const emptiesKey = /'(?:DEL|UNLINK|GETDEL|RENAME|[A-Z]*(?:HDEL|XDEL|REM|POP|TRIM|MOVE|STORE)[A-Z]*)'/;

/**
 * Creates the guard of scripts in a cluster. While a slot moves key by key, a script that empties a key and
 * touches it again stops there, because the key counts as moved; its writes stay. So such a script gets one
 * key more, which never exists. Redis then answers TRYAGAIN before the first write. The Lua does not see it.
 */
export function createScriptGuard() {
  const guarded = new Map<string, Script | undefined>();

  function guard(original: Script): Script | undefined {
    const {sha, source} = original;
    if (guarded.has(sha)) return guarded.get(sha);
    const start = source.startsWith('#!') ? source.indexOf('\n') + 1 : 0;
    const created = emptiesKey.test(source)
      ? script(`${source.slice(0, start)}table.remove(KEYS)\n${source.slice(start)}`)
      : undefined;
    guarded.set(sha, created);
    return created;
  }

  return (original: Script, keys: readonly string[]): readonly [Script, readonly string[]] => {
    const [first] = keys;
    const safe = first === undefined ? undefined : guard(original);
    return first === undefined || safe === undefined
      ? [original, keys]
      : [safe, [...keys, absentKeyBeside(first)]];
  };
}

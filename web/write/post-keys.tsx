import {texts} from '../texts/texts.ts';

/** The submit shortcut, in the notation of this platform. */
export function PostKeys() {
  const {apple, other} = texts.write.keys;
  return (
    <span aria-hidden="true" className="ms-2 text-xs font-[500] opacity-80 pointer-coarse:hidden">
      {/Mac|iPhone|iPad/.test(navigator.userAgent) ? apple : other}
    </span>
  );
}

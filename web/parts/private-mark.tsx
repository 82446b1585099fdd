import {texts} from '../texts/texts.ts';

/** A lock beside the name of a private team, as in `base.css`: the first paint has no room for its path. */
export function PrivateMark() {
  return <span className="lock" role="img" title={texts.frame.private} />;
}

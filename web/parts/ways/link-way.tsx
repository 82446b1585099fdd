import {texts} from '../../texts/texts.ts';
import {hasFeature} from '../features.ts';
import {hasSlack} from '../has-slack.ts';
import {listProviders} from '../sign-in-ways.ts';
import type {WayProps} from './way.ts';

/** Says where a person gets a sign-in link. It names the operator's command only if nothing else helps. */
export function LinkWay({confirms}: WayProps) {
  const {ways} = texts.signIn;
  const {confirm} = texts.sessions;
  // People may have no passkey yet, so passkeys alone are not enough.
  const needsOperator =
    !hasFeature('codes') &&
    !hasSlack() &&
    !listProviders().some((provider) => provider.confirms || !confirms);
  if (confirms && !needsOperator && !hasSlack()) return null;
  return (
    <div className="grid gap-2">
      {confirms ? <p>{confirm.link}</p> : <h2>{ways.title}</h2>}
      <ul className="flex list-disc flex-col gap-2 ps-5">
        {hasSlack() && <li>{ways.slack}</li>}
        {!confirms && <li>{ways.colleague}</li>}
        {needsOperator && (
          <li>
            {hasFeature('passkeys') ? ways.withoutPasskey : ways.operator}
            <code className="mt-1 block rounded-md bg-inset p-2 font-mono text-xs/5 wrap-anywhere">
              {ways.command}
            </code>
          </li>
        )}
      </ul>
      {confirms && <p className="text-quiet">{confirm.borrowed}</p>}
    </div>
  );
}

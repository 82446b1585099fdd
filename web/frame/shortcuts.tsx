import {useState} from 'react';
import {texts} from '../texts/texts.ts';
import type {PaletteCommand} from '../parts/palette/command.ts';
import {areShortcutsOn, setShortcutsOn} from '../parts/keys.ts';
import {ShortcutKeys} from './keys-shown.tsx';
import {Overlay} from './overlay.tsx';

interface ShortcutsProps {
  readonly commands: readonly PaletteCommand[];
  readonly onClose: () => void;
}

const rowClass = 'flex min-h-row items-center justify-between gap-3 border-t border-line';

export function Shortcuts({commands, onClose}: ShortcutsProps) {
  const [areOn, setOn] = useState(areShortcutsOn);
  const modifier = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : texts.frame.control;
  return (
    <Overlay title={texts.frame.shortcuts} placement="middle" onClose={onClose}>
      <label className="flex min-h-row items-center gap-2">
        <input
          type="checkbox"
          className="m-[3px] size-4.5 accent-accent"
          checked={areOn}
          onChange={({target: {checked}}) => {
            setShortcutsOn(checked);
            setOn(checked);
          }}
        />
        {texts.palette.keysOn}
      </label>
      <p className="text-quiet">{texts.palette.keysHint}</p>
      <dl>
        <div className={rowClass}>
          <dt>{texts.frame.commands}</dt>
          <dd>
            <ShortcutKeys of={`${modifier}+K`} />
          </dd>
        </div>
        {commands.flatMap(({label, key}) =>
          key === undefined ? (
            []
          ) : (
            <div className={rowClass} key={key}>
              <dt>{label}</dt>
              <dd>
                <ShortcutKeys of={key} />
              </dd>
            </div>
          ),
        )}
      </dl>
    </Overlay>
  );
}

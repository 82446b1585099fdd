import {useState} from 'react';
import {texts} from '../texts/texts.ts';
import type {PaletteCommand} from './commands.ts';
import {areShortcutsOn, setShortcutsOn} from '../parts/keys.ts';
import {ShortcutKeys} from './keys-shown.tsx';
import {Overlay} from './overlay.tsx';
import styles from './shortcuts.module.css';

interface ShortcutsProps {
  readonly commands: readonly PaletteCommand[];
  readonly onClose: () => void;
}

export function Shortcuts({commands, onClose}: ShortcutsProps) {
  const [areOn, setOn] = useState(areShortcutsOn);
  const modifier = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : texts.frame.control;
  return (
    <Overlay title={texts.frame.shortcuts} placement="middle" onClose={onClose}>
      <label className={styles['switch']}>
        <input
          type="checkbox"
          checked={areOn}
          onChange={({target: {checked}}) => {
            setShortcutsOn(checked);
            setOn(checked);
          }}
        />
        {texts.palette.keysOn}
      </label>
      <p className={styles['hint']}>{texts.palette.keysHint}</p>
      <dl className={styles['list']}>
        <div>
          <dt>{texts.frame.commands}</dt>
          <dd>
            <ShortcutKeys of={`${modifier}+K`} />
          </dd>
        </div>
        {commands.flatMap(({label, key}) =>
          key === undefined ? (
            []
          ) : (
            <div key={key}>
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

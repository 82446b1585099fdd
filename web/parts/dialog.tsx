import {Overlay, type OverlayProps} from './overlay.tsx';

export function Dialog({size, ...rest}: OverlayProps & {readonly size?: 'wide' | undefined}) {
  return <Overlay {...rest} variant="dialog" size={size} />;
}

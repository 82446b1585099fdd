import {Overlay, type OverlayProps} from './overlay.tsx';

export function Sheet(props: OverlayProps) {
  return <Overlay {...props} variant="sheet" />;
}

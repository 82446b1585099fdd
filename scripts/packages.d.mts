export function arePackagesThere(folder: string, withTools?: boolean): boolean;

export const workspace = {
  title: 'Workspace',
};

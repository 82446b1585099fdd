export const members = {
  title: 'People',
};

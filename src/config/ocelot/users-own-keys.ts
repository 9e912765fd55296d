/** The names of keys that users keep for themselves, within a lock as well. */
export const usersOwn = /^(x-|\$|\/\/)/i;

// The modules that the build makes of the package of emoji data.

declare module 'virtual:emoji-*' {
  export const emojis: import('frimousse').EmojiData['emojis'];
}

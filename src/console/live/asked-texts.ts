// Which texts a search field has asked the address for, and not seen there yet: what the address then says is not typed by others.

export class AskedTexts {
  private waiting: string[] = [];

  constructor(private seen: string) {}

  /** The field puts it into the address. */
  ask(text: string): void {
    if (text !== (this.waiting.at(-1) ?? this.seen)) this.waiting.push(text);
  }

  /**
   * What the address has now.
   * @returns whether the field has to show it: it is not one of those that were asked for, as after a link or the back button
   */
  takes(text: string): boolean {
    if (text === this.seen) return false;
    this.seen = text;
    const place = this.waiting.indexOf(text);
    // Those before it were overtaken.
    this.waiting = place === -1 ? [] : this.waiting.slice(place + 1);
    return place === -1;
  }
}

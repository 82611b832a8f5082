// The texts that a search field has put into the address and not yet seen there. They tell the field's own changes from others.

export class AskedTexts {
  private waiting: string[] = [];

  constructor(private seen: string) {}

  /** Notes a text that the field puts into the address. */
  ask(text: string): void {
    if (text !== (this.waiting.at(-1) ?? this.seen)) this.waiting.push(text);
  }

  /**
   * Notes the address's current text.
   * @returns true if the field has to show it: the text came from a link or the back button, not from the field
   */
  takes(text: string): boolean {
    if (text === this.seen) return false;
    this.seen = text;
    const place = this.waiting.indexOf(text);
    // Earlier texts were overtaken by this one.
    this.waiting = place === -1 ? [] : this.waiting.slice(place + 1);
    return place === -1;
  }
}

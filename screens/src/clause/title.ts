import { words } from "../words/words.svelte";
import { topicOf } from "./topics";

/** A clause with what it is about, such as `CROWN 10.1 Super 6 · What bets pay`. */
export function clauseTitled(clause: string): string {
  const topic = topicOf(clause);
  if (topic === null) return clause;
  const title = words.say(topic.key);
  return `${clause} · ${topic.read ? words.say("topic_read", { topic: title }) : title}`;
}

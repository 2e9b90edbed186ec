/** Publishes texts to a topic of public/default over the broker's REST producer. */
export async function publish(adminUrl: string, topic: string, texts: readonly string[]): Promise<void> {
  const response = await fetch(`${adminUrl}/topics/persistent/public/default/${topic}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ producerName: "test", messages: texts.map((payload) => ({ payload })) }),
  });
  const answer = (await response.json()) as {
    readonly messagePublishResults: readonly { readonly errorCode: number }[];
  };
  if (answer.messagePublishResults.some(({ errorCode }) => errorCode !== 0)) {
    throw new Error(`publishing failed: ${JSON.stringify(answer)}`);
  }
}

/** The text of the message at a position (from 1) of a subscription's backlog. */
export async function peek(adminUrl: string, topic: string, subscription: string, position: number): Promise<string> {
  const path = `/admin/v2/persistent/public/default/${topic}/subscription/${subscription}/position/${position}`;
  const response = await fetch(`${adminUrl}${path}`);
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return await response.text();
}

import "../look/look.css";
import "../form/form.css";
import { mount } from "svelte";
import { forStaff } from "../catalogue/for_staff";
import { words } from "../words/words.svelte";
import { offerKeypads } from "../keypad/keypad";
import DealPage from "./DealPage.svelte";

await words.open(forStaff, "window_deal");
mount(DealPage, { target: document.body });
offerKeypads();

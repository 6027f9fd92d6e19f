import "../look/look.css";
import { mount } from "svelte";
import DisplayPage from "./DisplayPage.svelte";

mount(DisplayPage, { target: document.body });
